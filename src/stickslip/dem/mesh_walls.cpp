#include "stickslip/dem/wall_touch.h"
#include "stickslip/math/parallel.h"

#include <algorithm>

namespace stickslip {

namespace {

constexpr double heir_cosine = 0; // a contact hands its springs on to one whose normal is less than 90 degrees away

/// Springs of the contacts that this one continues, their tangent planes turned to its own.
struct Inherited {
    Vec3 slip = Vec3::Zero(), turn = Vec3::Zero();
    bool any = false;
};

Inherited inherited(std::span<const FacetContact> old, const std::vector<int>& heirs, int heir, const Vec3& n)
{
    Inherited sum;
    for (std::size_t k = 0; k < old.size(); ++k) {
        if (heirs[k] != heir)
            continue;
        const Vec3& last = old[k].name.n;
        sum.slip += turn_tangential(old[k].slip, last, n);
        sum.turn += turn_tangential(old[k].turn, last, n) + old[k].turn.dot(last) * n;
        sum.any = true;
    }
    return sum;
}

bool is_within(const EdgeTopology& surface, int facet, const Vec3& x, double range)
{
    const auto& [a, b, c] = surface.facets[facet];
    const std::vector<Vec3>& at = surface.positions;
    return (closest_point_on_triangle(x, at[a], at[b], at[c]).point - x).squaredNorm() < range * range;
}

} // namespace

std::shared_ptr<const WallMesh> make_wall_mesh(const TriMesh& mesh, EdgeRule rule, const EdgeTopologyOptions& options)
{
    auto wall = std::make_shared<WallMesh>(WallMesh{EdgeTopology(mesh, options), {}, rule});
    std::vector<Bounds> boxes(mesh.triangles.size());
    for (std::size_t f = 0; f < boxes.size(); ++f) {
        for (const int v : mesh.triangles[f])
            boxes[f].add(mesh.vertices[v]);
    }
    wall->tree = BoxTree(boxes);
    return wall;
}

NearWall near_mesh(const WallMesh& mesh, const Frame& frame, const Spheres& spheres, double margin)
{
    constexpr std::size_t block = 256; // spheres
    std::vector<NearWall> parts((spheres.size() + block - 1) / block);
    parallel_for(
        parts.size(),
        [&](std::size_t b) {
            NearWall& part = parts[b];
            for (std::size_t i = b * block; i < std::min(spheres.size(), (b + 1) * block); ++i) {
                const Vec3 centre = frame.to_local(spheres.place[i].x);
                const double range = spheres.place[i].radius + margin;
                const std::size_t before = part.facet.size();
                mesh.tree.visit_overlapping(
                    {centre - Vec3::Constant(range), centre + Vec3::Constant(range)}, [&](int facet) {
                        if (!mesh.topology.is_left_out(facet) && is_within(mesh.topology, facet, centre, range))
                            part.facet.push_back(facet);
                    });
                if (part.facet.size() == before)
                    continue;
                std::sort(part.facet.begin() + static_cast<std::ptrdiff_t>(before), part.facet.end());
                part.sphere.push_back(static_cast<int>(i));
                part.first_facet.push_back(static_cast<int>(part.facet.size()));
            }
        },
        1);
    NearWall near;
    near.first_facet.push_back(0);
    for (const NearWall& part : parts) { // in the order of the spheres
        const int shift = near.first_facet.back();
        for (const int end : part.first_facet)
            near.first_facet.push_back(shift + end);
        near.sphere.insert(near.sphere.end(), part.sphere.begin(), part.sphere.end());
        near.facet.insert(near.facet.end(), part.facet.begin(), part.facet.end());
    }
    return near;
}

namespace {

/// The contacts of one sphere after another with one mesh; keeps its storage.
struct MeshMeeting {
    std::vector<Vec3> centres; // [m] wall's frame
    std::vector<SphereSurfaceContact> found;
    std::vector<FacetContact> now;
    std::vector<ContactName> old_names, names;
    std::vector<int> heirs;

    template <NormalLaw law>
    WallForce meet(
        const WallMeeting& w, WallContacts& contacts, std::size_t c, const Vec3& centre, std::vector<LoadRows>& sums)
    {
        const WallMesh& mesh = *std::get<std::shared_ptr<const WallMesh>>(w.wall.shape);
        const int slot = contacts.near.sphere[c];
        const double radius = w.system.spheres.place[slot].radius;
        const Frame& frame = w.pose.frame;
        const PairLaw& pair = wall_law(w, slot);
        const std::span<const FacetContact> held = contacts.held_by(c);
        find_sphere_surface_contacts(mesh.topology, contacts.near.facets(c), centre, radius + w.system.reach, mesh.rule,
            found, held.empty() ? nullptr : &held.front().name.n);
        name_heirs(held);

        WallForce sum;
        now.clear();
        for (std::size_t k = 0; k < found.size(); ++k) {
            const double overlap = found[k].overlap - w.system.reach;
            const Inherited springs = inherited(held, heirs, static_cast<int>(k), found[k].n);
            const bool fresh = !springs.any;
            if (!(overlap > (fresh ? begins_at<law>(pair, radius) : ends_at<law>(pair, radius)))) {
                if (w.ledger && !fresh)
                    book_release<law>(pair, radius, wall_stiffness(w, slot), springs.slip,
                        w.system.with_turn ? &springs.turn : nullptr, sum.losses);
                continue;
            }
            Vec3 slip = frame.R * springs.slip, turn = frame.R * springs.turn;
            Vec3* const rolling = w.system.with_turn ? &turn : nullptr;
            const WallTouch at = {.slot = slot,
                .n = -(frame.R * found[k].n),
                .overlap = overlap,
                .normal_turn = Vec3::Zero(),
                .frame_spin = w.pose.middle.w,
                .fresh = fresh};
            sum +=
                w.ledger ? touch<law, true>(w, at, slip, rolling, sums) : touch<law, false>(w, at, slip, rolling, sums);
            now.push_back({names[k], frame.R.transpose() * slip, frame.R.transpose() * turn, overlap});
        }
        if (w.ledger) {
            for (std::size_t k = 0; k < held.size(); ++k) {
                if (heirs[k] < 0)
                    book_release<law>(pair, radius, wall_stiffness(w, slot), held[k].slip,
                        w.system.with_turn ? &held[k].turn : nullptr, sum.losses);
            }
        }
        contacts.hold(c, now);
        return sum;
    }

    void name_heirs(std::span<const FacetContact> held)
    {
        names.clear();
        old_names.clear();
        for (const SphereSurfaceContact& contact : found)
            names.push_back({contact.n, contact.facet, contact.patch});
        for (const FacetContact& contact : held)
            old_names.push_back(contact.name);
        heirs.resize(held.size());
        match_contacts(old_names, names, heir_cosine, heirs);
    }
};

} // namespace

template <NormalLaw law>
STICKSLIP_WIDE WallForce meet_mesh(
    const WallMeeting& w, WallContacts& contacts, std::size_t begin, std::size_t end, std::vector<LoadRows>& sums)
{
    thread_local MeshMeeting meeting;
    meeting.centres.clear();
    for (std::size_t c = begin; c < end; ++c) // all at first: a place that was just written takes long to be read
        meeting.centres.push_back(w.pose.frame.to_local(w.system.spheres.place[contacts.near.sphere[c]].x));
    WallForce sum;
    for (std::size_t c = begin; c < end; ++c)
        sum += meeting.meet<law>(w, contacts, c, meeting.centres[c - begin], sums);
    return sum;
}

template WallForce meet_mesh<NormalLaw::linear>(
    const WallMeeting&, WallContacts&, std::size_t, std::size_t, std::vector<LoadRows>&);
template WallForce meet_mesh<NormalLaw::hertz>(
    const WallMeeting&, WallContacts&, std::size_t, std::size_t, std::vector<LoadRows>&);
template WallForce meet_mesh<NormalLaw::dmt>(
    const WallMeeting&, WallContacts&, std::size_t, std::size_t, std::vector<LoadRows>&);
template WallForce meet_mesh<NormalLaw::jkr>(
    const WallMeeting&, WallContacts&, std::size_t, std::size_t, std::vector<LoadRows>&);

} // namespace stickslip
