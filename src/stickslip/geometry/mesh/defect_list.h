#pragma once

#include "stickslip/geometry/mesh/mesh_defect.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace stickslip {

/// Gathers findings and makes one MeshDefect of each kind: a mesh with a million inverted tetrahedra gives one readable
/// line.
class DefectList {
public:
    /// description names the single finding, e.g. "tetrahedron 12"; elements are those it concerns.
    void add(MeshDefectKind kind, const std::string& description, const std::vector<int>& elements)
    {
        Findings& f = findings_[kind];
        if (f.count < listed)
            f.text += (f.count ? ", " : "") + description;
        ++f.count;
        f.elements.insert(f.elements.end(), elements.begin(), elements.end());
    }

    /// title(kind) is the plural noun: "inverted tetrahedra".
    template <typename Title>
    std::vector<MeshDefect> finish(const Title& title)
    {
        std::vector<MeshDefect> defects;
        for (auto& [kind, f] : findings_) {
            std::sort(f.elements.begin(), f.elements.end());
            f.elements.erase(std::unique(f.elements.begin(), f.elements.end()), f.elements.end());
            std::string text = title(kind) + " (" + std::to_string(f.count) + "): " + f.text;
            if (f.count > listed)
                text += " and " + std::to_string(f.count - listed) + " more";
            defects.push_back({.kind = kind, .elements = std::move(f.elements), .text = std::move(text)});
        }
        return defects;
    }

private:
    static constexpr int listed = 5;
    struct Findings {
        int count = 0;
        std::vector<int> elements;
        std::string text;
    };
    std::map<MeshDefectKind, Findings> findings_;
};

} // namespace stickslip
