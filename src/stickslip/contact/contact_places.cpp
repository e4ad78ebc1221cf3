#include "stickslip/contact/contact_set.h"

#include "stickslip/contact/meshes/facet_sample.h"

#include <algorithm>
#include <array>
#include <utility>

// What contacts touch, for those that take over from each other (energy_handover.h): the nodes of what deforms, on
// either side, and the point of what keeps its shape on them. All contacts of two bodies that both keep theirs are one
// place.
namespace stickslip {

void ContactSet::add_touched(const Attachment& a, std::vector<std::int64_t>& touched) const
{
    constexpr std::int64_t of_point = std::int64_t(1) << 62, of_pair = of_point + (of_point >> 1);
    const auto [p, s] = std::pair(a.point_body, a.surface_body);
    const ContactKind kind = bodies_.kind(a);
    if (kind != ContactKind::edges && kind != ContactKind::point_on_mesh && kind != ContactKind::point_on_soft)
        return; // only these have a share of a spring that may grow (docs/derivations.md#shares-that-grow)
    const auto of_two = [](std::int64_t first, std::int64_t second) { return (first << 32) + second; };
    const auto add_vertices = [&](int body, const auto& vertices) {
        for (const int v : vertices)
            touched.push_back(patched_[body].nodes[v]);
    };
    const auto add_edge = [&](int body, int number) { // SurfaceEdge::number; it need not be a crease any more
        if (!bodies_.is_deformable(body))
            return;
        const Triangle& facet = patched_[body].surface.patches().facets[number / 3];
        add_vertices(body, std::array{facet[number % 3], facet[(number + 1) % 3]});
    };
    if (kind == ContactKind::edges) {
        add_edge(p, a.point - bodies_.first_edge(p));
        add_edge(s, a.slot);
    } else {
        const bool on_soft = bodies_.is_deformable(s);
        if (on_soft)
            add_vertices(s, patched_[s].surface.patches().facets[a.on_facet().facet]);
        if (bodies_.is_deformable(p) && on_soft) {
            const FacetSample sample(a.point - first_facet_point(*bodies_.deformables, p));
            add_vertices(p, patched_[p].surface.patches().facets[sample.facet]);
        } else if (bodies_.is_deformable(p)) {
            touched.push_back(surface_node(*bodies_.deformables, p, a.point));
        } else if (on_soft) {
            touched.push_back(of_point + of_two(p, a.point));
        }
    }
    if (touched.empty())
        touched.push_back(of_pair + of_two(std::min(p, s), std::max(p, s)));
}

} // namespace stickslip
