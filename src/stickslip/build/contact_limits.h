#pragma once

#include "stickslip/build/built_world.h"
#include "stickslip/world/tunnelling_watch.h"

namespace stickslip {

/// Warnings of what contact will not feel, as far as a scene tells before its run: bodies that move farther in a step,
/// as they start or are led, than what they may meet is thick, or than they are long; bodies narrower than the elements
/// of what they may meet; round bodies that may roll over the flat faces of a sampled mesh of which the edges are left
/// out; `stiffness` with which bodies sink in deep, or solves fail.
void warn_of_long_steps(const Scene& scene, BuildResult& result);
void warn_of_narrow_bodies(const Scene& scene, BuildResult& result);
void warn_of_left_out_edges(const Scene& scene, BuildResult& result);
void warn_of_stiffness(const Scene& scene, BuildResult& result);

/// `"ball" moves 5 m towards "wall" in one step of 0.05 s, but ...`
std::string in_words(const World& world, const LongStep& step, double dt);
/// `"grain[7]" and 99 others travel up to 0.02 m in one step of 0.05 s, farther than ...`
std::string in_words(const World& world, const FarStep& step, int others, double dt);

} // namespace stickslip
