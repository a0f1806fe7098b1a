// Functions joined to one visitor: std::visit(Overload{...}, node).
#pragma once

namespace lac::frontend {

template <class... Ts>
struct Overload : Ts... {
  using Ts::operator()...;
};
template <class... Ts>
Overload(Ts...) -> Overload<Ts...>;

}  // namespace lac::frontend
