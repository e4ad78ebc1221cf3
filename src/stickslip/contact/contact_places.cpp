#include "stickslip/contact/contact_places.h"

#include <algorithm>
#include <array>
#include <utility>

namespace stickslip {

void add_touched_places(
    const ContactBodies& bodies, const MeshSurfaces& surfaces, const Attachment& a, std::vector<std::int64_t>& touched)
{
    constexpr std::int64_t of_point = std::int64_t(1) << 62, of_pair = of_point + (of_point >> 1);
    const auto [p, s] = std::pair(a.point_body, a.surface_body);
    const ContactKind kind = bodies.kind(a);
    if (kind != ContactKind::edges && kind != ContactKind::point_on_mesh && kind != ContactKind::point_on_soft)
        return; // only these have a share of a spring that may grow (docs/derivations.md#shares-that-grow)
    const auto of_two = [](std::int64_t first, std::int64_t second) { return (first << 32) + second; };
    const auto add_vertices = [&](int body, const auto& vertices) {
        for (const int v : vertices)
            touched.push_back(surfaces.deformable()[body].nodes[v]);
    };
    const auto add_edge = [&](int body, int number) { // SurfaceEdge::number; it need not be a crease any more
        if (!bodies.is_deformable(body))
            return;
        const Triangle& facet = surfaces.patches(body).patches().facets[number / 3];
        add_vertices(body, std::array{facet[number % 3], facet[(number + 1) % 3]});
    };
    if (kind == ContactKind::edges) {
        add_edge(p, a.point - bodies.first_edge(p));
        add_edge(s, a.slot);
    } else {
        const bool on_soft = bodies.is_deformable(s);
        if (on_soft)
            add_vertices(s, surfaces.patches(s).patches().facets[a.on_facet().facet]);
        if (bodies.is_deformable(p) && on_soft) {
            const FacetSample sample = bodies.facet_sample(p, a.point);
            add_vertices(p, surfaces.patches(p).patches().facets[sample.facet]);
        } else if (bodies.is_deformable(p)) {
            touched.push_back(surface_node(*bodies.deformables, p, a.point));
        } else if (on_soft) {
            touched.push_back(of_point + of_two(p, a.point));
        }
    }
    if (touched.empty())
        touched.push_back(of_pair + of_two(std::min(p, s), std::max(p, s)));
}

} // namespace stickslip
