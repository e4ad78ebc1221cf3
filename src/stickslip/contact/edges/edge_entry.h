#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/edges/surface_edges.h"
#include "stickslip/contact/relax/step_spring.h"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace stickslip {

/// [-] of an edge: how far beyond its corner a pair is still taken to have met it. Not 0, so that the force is
/// continuous.
constexpr double met_fade = 1e-3;

/// Two edges that can meet in the step, and how: decided at its start, so that the force is one continuous function of
/// where they are.
struct EdgeEntry {
    int a, b; // indices in the edges of both bodies
    double sigma; // TwoEdges::sigma
    double weight; // [-] of their sharpness and of how the plane between them lies to the facets of either
    double d_old, s_old, t_old; // EdgeCrossing at the start of the step
    SpringStart spring; // at the start of the step
    double joint_fade; // [m] over which the force goes over to another edge at a joint
    double end_fade; // [m] over which it ends beyond an end
    const Attachment* kept = nullptr; // in StepStart::kept; null: none
};

/// How two edges may meet, nothing where no plane between both supports their solids, as predicted for the end of the
/// step. sigma: 0 where it is to be decided.
std::optional<EdgeEntry> edge_entry(const SurfaceEdges& a, const SurfaceEdges& b, int edge_a, int edge_b, double sigma);

/// All pairs of edges whose ways come as near as `reach` [m], and those of `kept`, which are attachments of the two
/// bodies. New ones have not crossed by more than entry_depth at the start, or twice that beyond a corner, and do not
/// come in beside one. Of a body with itself each pair once, none
/// that share a vertex. What is crossed no farther than `indentation` [m] within a corner at its end, as far as springs
/// may have let the two bodies sink, is level with it: the vertex there carries. Sorted by (a, b); replaces `entries`,
/// which point to those of `kept`.
void find_edge_entries(const SurfaceEdges& a, const SurfaceEdges& b, std::span<const Attachment> kept, int first_edge,
    double reach, double indentation, std::vector<EdgeEntry>& entries);

/// Adds those that have crossed within both edges where they are predicted to be. Such a pair that is known, but holds
/// no attachment, gets the weight that it has there, if that is greater. Whether there was something. `entries`:
/// sorted.
bool grow_edge_entries(
    const SurfaceEdges& a, const SurfaceEdges& b, double indentation, std::vector<EdgeEntry>& entries);

} // namespace stickslip
