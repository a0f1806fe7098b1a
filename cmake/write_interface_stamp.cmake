# cmake -DHEADERS=a;b -DBUILD=text -DOUTPUT=file.cpp -P write_interface_stamp.cmake
#
# Writes the source of lac::ir::interface_stamp(): one text for one set of headers and tables, compiler and kind of build.
set(all "${BUILD}")
foreach(header IN LISTS HEADERS)
  file(SHA256 "${header}" hash)
  string(APPEND all " ${hash}")
endforeach()
string(SHA256 stamp "${all}")
string(SUBSTRING "${stamp}" 0 32 stamp)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT [[
#include "ir/support/interface_stamp.h"

const char* lac::ir::interface_stamp() { return "lac interface @stamp@"; }
]] @ONLY)
