#include <lac/lac.hpp>
#include <lac/language_server.hpp>
#include <lac/session.hpp>

std::string_view use() { return lac::api::version(); }
