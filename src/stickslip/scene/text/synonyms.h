#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace stickslip {

/// The name here of a key that other programs (MuJoCo, URDF, Bullet, PolyFEM, YADE, LAMMPS) name otherwise.
struct Synonym {
    std::string key; // one of the keys of this place; empty: none of them says it
    std::string hint; // a sentence for the message, "; here ..."; empty: the word is not known
};

/// keys: those that may stand where the word stands.
Synonym synonym_of(std::string_view word, const std::vector<std::string>& keys);

} // namespace stickslip
