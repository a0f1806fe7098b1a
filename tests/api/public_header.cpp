#include <lac/lac.hpp>

std::string_view use() { return lac::api::version(); }
