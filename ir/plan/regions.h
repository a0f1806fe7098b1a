// Which loops of a plan can run on a device without the host in their way, and what stands against the others.
//
// A trip is recorded before it is known whether it runs: it runs if all trips recorded before it did, so trip counters
// and whatever follows from them and from host scalars are known while recording. What kernels compute is not: it may
// be a condition (of the loop, of a branch, of a check), an input of kernels and something to print, but not a size.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "ir/graph/graph.h"
#include "ir/plan/places.h"

namespace lac {

struct DeviceLoop {
  bool possible = false;
  std::string reason;     ///< else: what forces the host in, "print of a matrix", "library step lu"
  LocationId where = {};  ///< of what does
};

/// For every loop of a plan. `places` are its scalar_places; has_shader tells the ops other than launches that have
/// shaders (ShaderProgram::steps).
std::map<OpId, DeviceLoop> device_loops(const Graph& plan, const IdVector<ValueId, Place>& places,
                                        const std::function<bool(OpId)>& has_shader);

}  // namespace lac
