/* Runs a shader pack (docs/shader_packs.md) with nothing but Vulkan: a start for an engine that plays one.
 *
 *   lac build cg.la --emit=shaders -o pack n=64 && cc host.c -lvulkan -o host && ./host pack
 *
 * Inputs are what pack/data.bin has for them; each output goes to pack/NAME.out, as its bytes, and its size is printed. All
 * memory is the host's and a barrier stands between all commands: simple, not fast. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

static void fail(const char* what) { fprintf(stderr, "host: %s\n", what); exit(1); }
static void check(VkResult result, const char* what) { if (result != VK_SUCCESS) fail(what); }

/* ---- pack.json ---- */

typedef struct Json { double number; char *text, *key; int count; struct Json *first, *next; } Json;

static const char* spaces(const char* p) { return p + strspn(p, " \n\t,:"); }
static char* string(const char** p) {
  char *text = calloc(1, strlen(*p)), *to = text; /* \\uNNNN, which only a program's own name may have, stays as it is */
  for (++*p; **p && **p != '"'; ++*p) {
    if (**p == '\\' && ((*p)[1] == '"' || (*p)[1] == '\\')) ++*p;
    *to++ = **p;
  }
  ++*p;
  return text;
}
static Json* parse(const char** p) {
  Json* value = calloc(1, sizeof *value);
  *p = spaces(*p);
  if (**p == '"') value->text = string(p);
  else if (**p != '{' && **p != '[') {
    if (!strncmp(*p, "true", 4)) value->number = 1, *p += 4;
    else if (!strncmp(*p, "false", 5)) *p += 5;
    else value->number = strtod(*p, (char**)p);
  } else {
    const char closing = **p == '{' ? '}' : ']';
    Json** link = &value->first;
    for (*p = spaces(*p + 1); **p != closing; *p = spaces(*p), link = &(*link)->next, ++value->count) {
      char* key = closing == '}' ? string(p) : NULL;
      *link = parse(p);
      (*link)->key = key;
    }
    ++*p;
  }
  return value;
}
static Json* get(const Json* object, const char* key) {
  Json* each = object->first;
  while (each && strcmp(each->key, key)) each = each->next;
  return each;
}
static uint64_t at(const Json* array, int place) {
  Json* each = array->first;
  while (place--) each = each->next;
  return (uint64_t)each->number;
}
static char* read_file(const char* folder, const char* name, size_t* size) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE* file = fopen(path, "rb");
  if (!file) fail(path);
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  char* bytes = calloc(1, *size + 1);
  if (fread(bytes, 1, *size, file) != *size) fail(path);
  fclose(file);
  return bytes;
}

/* ---- Vulkan ---- */

typedef struct { VkBuffer buffer; VkDeviceMemory memory; char* bytes; } Buffer;
typedef struct { VkPipeline pipeline; VkPipelineLayout layout; VkDescriptorSetLayout set; Json* json; } Shader;

static VkInstance instance;
static VkPhysicalDevice physical;
static VkDevice device;
static VkQueue queue;
static VkCommandPool commands;
static VkDescriptorPool descriptors;
static Buffer* buffers;
static Shader* shaders;
static Buffer* extra; /* parameters that are no push constants */
static int extras;
static const char* data;

static uint32_t dispatches(const Json* list) {
  uint32_t count = 0;
  for (const Json* each = list->first; each; each = each->next)
    count += get(each, "commands") ? dispatches(get(each, "commands")) + (get(each, "else") ? dispatches(get(each, "else")) : 0)
                                   : get(each, "dispatch") != NULL;
  return count;
}

static uint32_t open_device(int needs_float64) {
  const VkApplicationInfo app = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_2};
  const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &app};
  check(vkCreateInstance(&info, NULL, &instance), "no Vulkan");
  uint32_t count = 1, family = 0, families = 16;
  if (vkEnumeratePhysicalDevices(instance, &count, &physical) < 0 || count == 0) fail("no device");
  VkQueueFamilyProperties properties[16];
  vkGetPhysicalDeviceQueueFamilyProperties(physical, &families, properties);
  while (family < families && !(properties[family].queueFlags & VK_QUEUE_COMPUTE_BIT)) ++family;
  const float priority = 1;
  const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                          .queueFamilyIndex = family, .queueCount = 1, .pQueuePriorities = &priority};
  const VkPhysicalDeviceFeatures features = {.shaderFloat64 = needs_float64 ? VK_TRUE : VK_FALSE};
  const VkDeviceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .queueCreateInfoCount = 1,
                                   .pQueueCreateInfos = &queues, .pEnabledFeatures = &features};
  check(vkCreateDevice(physical, &made, NULL, &device), "the device lacks something");
  vkGetDeviceQueue(device, family, 0, &queue);
  return family;
}

static Buffer make_buffer(uint64_t bytes) {
  Buffer made;
  const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes < 4 ? 4 : bytes,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
               VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
  check(vkCreateBuffer(device, &info, NULL, &made.buffer), "a buffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(device, made.buffer, &needs);
  VkPhysicalDeviceMemoryProperties memory;
  vkGetPhysicalDeviceMemoryProperties(physical, &memory);
  const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  uint32_t type = 0;
  while (!(needs.memoryTypeBits >> type & 1) || (memory.memoryTypes[type].propertyFlags & wanted) != wanted) ++type;
  const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                           .allocationSize = needs.size, .memoryTypeIndex = type};
  check(vkAllocateMemory(device, &allocation, NULL, &made.memory), "no memory");
  vkBindBufferMemory(device, made.buffer, made.memory, 0);
  check(vkMapMemory(device, made.memory, 0, VK_WHOLE_SIZE, 0, (void**)&made.bytes), "no access to memory");
  return made;
}

static Json* parameters_buffer(const Json* shader) { return get(get(shader, "parameters"), "binding"); }

static Shader make_shader(Json* json, const char* folder) {
  Shader made = {.json = json};
  VkDescriptorSetLayoutBinding bindings[64];
  uint32_t count = 0;
  for (Json* each = get(json, "bindings")->first; each; each = each->next)
    bindings[count++] = (VkDescriptorSetLayoutBinding){(uint32_t)get(each, "binding")->number,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  if (parameters_buffer(json))
    bindings[count++] = (VkDescriptorSetLayoutBinding){(uint32_t)parameters_buffer(json)->number,
        VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
  const VkDescriptorSetLayoutCreateInfo set = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
                                               .bindingCount = count, .pBindings = bindings};
  check(vkCreateDescriptorSetLayout(device, &set, NULL, &made.set), "a descriptor layout");
  const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                    (uint32_t)get(get(json, "parameters"), "bytes")->number};
  const VkPipelineLayoutCreateInfo layout = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &made.set,
      .pushConstantRangeCount = push.size && !parameters_buffer(json), .pPushConstantRanges = &push};
  check(vkCreatePipelineLayout(device, &layout, NULL, &made.layout), "a pipeline layout");
  size_t size;
  char* words = read_file(folder, get(get(json, "files"), "spirv")->text, &size);
  const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = size,
                                         .pCode = (const uint32_t*)words};
  VkShaderModule module;
  check(vkCreateShaderModule(device, &code, NULL, &module), "a shader");
  const VkComputePipelineCreateInfo pipeline = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .layout = made.layout,
      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                .module = module, .pName = "main"}};
  check(vkCreateComputePipelines(device, NULL, 1, &pipeline, NULL, &made.pipeline), "a pipeline");
  vkDestroyShaderModule(device, module, NULL);
  free(words);
  return made;
}

/* ---- commands ---- */

static void dispatch(VkCommandBuffer to, const Json* command) {
  const Shader* shader = &shaders[(int)get(command, "dispatch")->number];
  const Json *parameters = get(command, "parameters"), *counts = get(command, "counts");
  uint32_t words[1024], count = 0;
  if (parameters->count > 1024 || get(command, "resources")->count > 63) fail("a dispatch is larger than it should be");
  for (Json* each = parameters->first; each; each = each->next) words[count++] = (uint32_t)each->number;
  const VkDescriptorSetAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = descriptors, .descriptorSetCount = 1, .pSetLayouts = &shader->set};
  VkDescriptorSet set;
  check(vkAllocateDescriptorSets(device, &allocation, &set), "a descriptor set");
  VkDescriptorBufferInfo ranges[64];
  VkWriteDescriptorSet writes[64];
  uint32_t bound = 0;
  const Json* binding = get(shader->json, "bindings")->first;
  for (Json* each = get(command, "resources")->first; each; each = each->next, binding = binding->next, ++bound) {
    ranges[bound] = (VkDescriptorBufferInfo){buffers[at(each, 0)].buffer, at(each, 1), at(each, 2)};
    writes[bound] = (VkWriteDescriptorSet){.dstBinding = (uint32_t)get(binding, "binding")->number};
  }
  if (parameters_buffer(shader->json)) {
    const Buffer own = extra[extras++] = make_buffer(4 * count);
    memcpy(own.bytes, words, 4 * count);
    ranges[bound] = (VkDescriptorBufferInfo){own.buffer, 0, VK_WHOLE_SIZE};
    writes[bound++] = (VkWriteDescriptorSet){.dstBinding = (uint32_t)parameters_buffer(shader->json)->number};
  } else if (count > 0) {
    vkCmdPushConstants(to, shader->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, 4 * count, words);
  }
  for (uint32_t b = 0; b < bound; ++b) {
    writes[b].sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    writes[b].dstSet = set;
    writes[b].descriptorCount = 1;
    writes[b].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    writes[b].pBufferInfo = &ranges[b];
  }
  vkUpdateDescriptorSets(device, bound, writes, 0, NULL);
  vkCmdBindPipeline(to, VK_PIPELINE_BIND_POINT_COMPUTE, shader->pipeline);
  vkCmdBindDescriptorSets(to, VK_PIPELINE_BIND_POINT_COMPUTE, shader->layout, 0, 1, &set, 0, NULL);
  if (counts) vkCmdDispatchIndirect(to, buffers[at(counts, 0)].buffer, at(counts, 1));
  else {
    const Json* groups = get(command, "groups");
    vkCmdDispatch(to, (uint32_t)at(groups, 0), (uint32_t)at(groups, 1), (uint32_t)at(groups, 2));
  }
}

static void record(VkCommandBuffer to, const Json* command) {
  const Json *copy = get(command, "copy"), *fill = get(command, "fill"), *upload = get(command, "upload");
  if (copy) {
    const Json *from = copy->first, *target = from->next;
    const VkBufferCopy region = {at(from, 1), at(target, 1), at(from, 2)};
    vkCmdCopyBuffer(to, buffers[at(from, 0)].buffer, buffers[at(target, 0)].buffer, 1, &region);
  } else if (fill) {
    vkCmdFillBuffer(to, buffers[at(fill, 0)].buffer, at(fill, 1), at(fill, 2), (uint32_t)get(command, "word")->number);
  } else if (upload) {
    const char* from = data + (size_t)get(command, "data")->number;
    for (uint64_t done = 0, size = at(upload, 2), piece; done < size; done += piece) {
      piece = size - done < 65536 ? size - done : 65536;
      vkCmdUpdateBuffer(to, buffers[at(upload, 0)].buffer, at(upload, 1) + done, piece, from + done);
    }
  } else {
    dispatch(to, command);
  }
  const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT, .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT};
  vkCmdPipelineBarrier(to, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                       0, 1, &barrier, 0, NULL, 0, NULL);
}

static VkCommandBuffer begin(void) {
  const VkCommandBufferAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = commands, .commandBufferCount = 1};
  VkCommandBuffer made;
  check(vkAllocateCommandBuffers(device, &allocation, &made), "a command buffer");
  const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  check(vkBeginCommandBuffer(made, &info), "a command buffer");
  return made;
}
static void run(VkCommandBuffer list) {
  const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &list};
  check(vkQueueSubmit(queue, 1, &info, NULL), "a submission");
  check(vkQueueWaitIdle(queue), "the device was lost");
}

static int is_true(const Json* place, const Json* element) {
  const char* from = buffers[at(place, 0)].bytes + at(place, 1);
  uint32_t word; float single; double number;
  if (element && strcmp(element->text, "uint32") && strncmp(element->text, "float", 5)) fail("a condition of another element");
  if (!element || !strcmp(element->text, "uint32")) return memcpy(&word, from, sizeof word), word != 0;
  if (!strcmp(element->text, "float32")) return memcpy(&single, from, sizeof single), single != 0;
  return memcpy(&number, from, sizeof number), number != 0;
}

/* A loop's commands are recorded once and submitted as long as its state says. */
static void run_all(const Json* list) {
  VkCommandBuffer recording = begin();
  for (const Json* command = list->first; command; command = command->next) {
    const Json *loop = get(command, "while"), *branch = get(command, "if"), *failure = get(command, "fail");
    if (failure) fail(failure->text);
    if (!loop && !branch) {
      record(recording, command);
      continue;
    }
    vkEndCommandBuffer(recording);
    run(recording);
    if (branch) run_all(get(command, is_true(branch, get(command, "element")) ? "commands" : "else"));
    if (loop) {
      VkCommandBuffer body = begin();
      for (const Json* each = get(command, "commands")->first; each; each = each->next) record(body, each);
      vkEndCommandBuffer(body);
      while (is_true(loop, NULL)) run(body);
    }
    recording = begin();
  }
  vkEndCommandBuffer(recording);
  run(recording);
}

static void write_output(const char* folder, const Json* output) {
  const char* name = get(output, "name")->text;
  const Json *trips_of = get(output, "trips_of"), *range = get(output, "at");
  if (trips_of) {
    uint32_t trips;
    memcpy(&trips, buffers[at(trips_of, 0)].bytes + at(trips_of, 1) + 4, 4);
    printf("%s = %g\n", name, get(output, "first")->number + trips * get(output, "step")->number);
    return;
  }
  const char* element = get(output, "element")->text;
  const uint64_t rows = (uint64_t)get(output, "rows")->number;
  const uint64_t cols = (uint64_t)get(output, "cols")->number;
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.out", folder, name);
  FILE* file = fopen(path, "wb");
  if (!file) fail(path);
  fwrite(buffers[at(range, 0)].bytes + at(range, 1), strcmp(element, "float64") ? 4 : 8, rows * cols, file);
  fclose(file);
  printf("%s: %llu x %llu %s in %s\n", name, (unsigned long long)rows, (unsigned long long)cols, element, path);
}

int main(int count, char** arguments) {
  if (count != 2) fail("usage: host FOLDER");
  const char* folder = arguments[1];
  size_t size;
  const char* text = read_file(folder, "pack.json", &size);
  data = read_file(folder, "data.bin", &size);
  Json* pack = parse(&text);
  const uint32_t family = open_device((int)get(get(pack, "needs"), "float64")->number);
  const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO, .queueFamilyIndex = family};
  check(vkCreateCommandPool(device, &pool, NULL, &commands), "a command pool");
  const uint32_t most_sets = dispatches(get(pack, "commands")) + 1;
  extra = calloc(most_sets, sizeof *extra);
  const VkDescriptorPoolSize sets = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64 * most_sets};
  const VkDescriptorPoolCreateInfo descriptor_pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = most_sets, .poolSizeCount = 1, .pPoolSizes = &sets};
  check(vkCreateDescriptorPool(device, &descriptor_pool, NULL, &descriptors), "a descriptor pool");

  const int buffer_count = get(pack, "buffers")->count, shader_count = get(pack, "shaders")->count;
  buffers = calloc((size_t)buffer_count + 1, sizeof *buffers);
  shaders = calloc((size_t)shader_count + 1, sizeof *shaders);
  int n = 0;
  for (Json* each = get(pack, "buffers")->first; each; each = each->next)
    buffers[n++] = make_buffer((uint64_t)get(each, "bytes")->number);
  n = 0;
  for (Json* each = get(pack, "shaders")->first; each; each = each->next) shaders[n++] = make_shader(each, folder);
  for (Json* each = get(pack, "inputs")->first; each; each = each->next) {
    const Json* range = get(each, "at");
    memcpy(buffers[at(range, 0)].bytes + at(range, 1), data + (size_t)get(each, "data")->number, at(range, 2));
  }
  run_all(get(pack, "commands"));
  for (Json* each = get(pack, "outputs")->first; each; each = each->next) write_output(folder, each);

  for (n = 0; n < shader_count; ++n) {
    vkDestroyPipeline(device, shaders[n].pipeline, NULL);
    vkDestroyPipelineLayout(device, shaders[n].layout, NULL);
    vkDestroyDescriptorSetLayout(device, shaders[n].set, NULL);
  }
  for (n = 0; n < buffer_count + extras; ++n) {
    const Buffer each = n < buffer_count ? buffers[n] : extra[n - buffer_count];
    vkDestroyBuffer(device, each.buffer, NULL);
    vkFreeMemory(device, each.memory, NULL);
  }
  vkDestroyDescriptorPool(device, descriptors, NULL);
  vkDestroyCommandPool(device, commands, NULL);
  vkDestroyDevice(device, NULL);
  vkDestroyInstance(instance, NULL);
  return 0;
}
