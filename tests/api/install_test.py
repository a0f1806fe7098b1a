#!/usr/bin/env python3
"""Installs lac into a scratch folder, builds samples/embed against what was installed, and runs it.

usage: install_test.py CMAKE BUILD_DIRECTORY SAMPLE_DIRECTORY
"""
import subprocess
import sys
import tempfile
from pathlib import Path


def run(*words):
    done = subprocess.run(words, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


# A host with a volk of its own, which it links as lac does.
VOLK_HOST = """\
#define VOLK_IMPLEMENTATION
#include <volk.h>
#include <cstdio>
#include <lac/lac.hpp>
int main() {
  if (vkAllocateMemory != nullptr) return 1;
  const lac::api::Devices devices = lac::api::devices();
  lac::api::Options options;  // the code generator is found where lac was installed
  options.compile = lac::api::Compile::first;
  options.cache = false;
  const auto result = lac::api::Program::from_text("x = sum(1:4)", "sum.la", options).run({});
  if (!result.ok()) std::fputs(result.message().c_str(), stderr);
  return vkAllocateMemory != nullptr || !result.ok() || devices.list.size() > 99;
}
"""
VOLK_PROJECT = """\
cmake_minimum_required(VERSION 3.25)
project(host LANGUAGES CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(lac REQUIRED)
add_executable(host host.cpp)
target_compile_definitions(host PRIVATE VK_NO_PROTOTYPES)
target_link_libraries(host PRIVATE lac::lac)
"""


def check_volk_host(cmake, folder, prefix):
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(VOLK_PROJECT)
    (folder / "host.cpp").write_text(VOLK_HOST)
    run(cmake, "-G", "Ninja", "-S", str(folder), "-B", str(folder / "build"), "-DCMAKE_PREFIX_PATH=" + str(prefix))
    run(cmake, "--build", str(folder / "build"))
    run(str(folder / "build" / "host"))


def main():
    cmake, build, sample = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        prefix, work = Path(scratch, "prefix"), Path(scratch, "embed")
        run(cmake, "--install", build, "--prefix", str(prefix))
        run(cmake, "-G", "Ninja", "-S", sample, "-B", str(work), "-DCMAKE_PREFIX_PATH=" + str(prefix))
        run(cmake, "--build", str(work))
        printed = run(str(work / "embed"))
        if Path(build, "volk", "volk.h").exists():
            check_volk_host(cmake, Path(scratch, "volk"), prefix)
        program = Path(scratch, "program")
        run(str(prefix / "bin" / "lac"), "build", "-e", "x = 1 + 2", "-o", str(program))
        built = run(str(program))
    expected = "y = [221 281], nothing copied\naxpy.la:2: x is 2x1, but x(n, 1) needs 3 rows: n is 3, the columns of A\n"
    if printed != expected or built != "x = 3\n":
        sys.exit(f"embed printed\n{printed}and the built program\n{built}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
