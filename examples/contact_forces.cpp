// What the joints of a stack of five boxes carry: contact forces are read as arrays and added up joint by joint. Each
// carries the weight of all boxes above it.
#include <stickslip/stickslip.h>

#include <cmath>
#include <cstdio>
#include <map>
#include <utility>

namespace {

const char* const scene = R"(
stickslip: 1
time: {step: 0.01, end: 2}
contact: {friction: 0.5}
materials: {stone: {density: 2000}}
bodies:
  - {name: ground, kind: obstacle, shape: {plane: {normal: [0, 1, 0]}}}
  - {name: box, kind: rigid, material: stone, shape: {box: [0.2, 0.1, 0.2]}, position: [0, 0.05, 0],
     copies: {stack: {count: 5, axis: [0, 1, 0]}}}
)";

} // namespace

int main()
{
    using namespace stickslip;
    Simulation simulation(scene_from_text(scene));
    if (simulation.run(2.0) != RunStatus::done)
        return 2;

    const Contacts contacts = simulation.contacts();
    std::map<std::pair<int, int>, Vec3> joints; // [N] on the lower body of two
    std::map<std::pair<int, int>, int> points;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
        const int a = contacts.first[c], b = contacts.second[c];
        const auto joint = std::minmax(a, b); // the ground is body 0, and boxes are counted from below
        Vec3& force = joints.try_emplace(joint, Vec3::Zero()).first->second;
        force += a < b ? contacts.force[c] : Vec3(-contacts.force[c]);
        ++points[joint];
    }

    const double weight = 9.81 * simulation.body("box[0]").mass;
    bool right = joints.size() == 5;
    int above = 5;
    for (const auto& [joint, force] : joints) {
        std::printf("%-8s under %-8s %2d points, %8.3f N down; weight above: %8.3f N\n",
            simulation.bodies()[joint.first].name.c_str(), simulation.bodies()[joint.second].name.c_str(),
            points[joint], -force.y(), above * weight);
        right = right && std::abs(-force.y() - above * weight) < 1e-3 * weight
            && std::hypot(force.x(), force.z()) < 1e-3 * weight;
        --above;
    }
    return right ? 0 : 1;
}
