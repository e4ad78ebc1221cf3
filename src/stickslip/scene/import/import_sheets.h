#pragma once

#include "stickslip/scene/import/imported_body.h"

#include <functional>
#include <string>
#include <vector>

namespace stickslip {

/// Which free bodies can meet a sheet.
using CanMeet = std::function<bool(const ImportedBody& sheet, const ImportedBody& free)>;

/// Makes the sheet bodies[b] a box and returns what was decided, as a note for the user.
///
/// A sheet that moves freely, or is led and turns, is in the middle of its box. The box of any other, fixed or led,
/// lies behind the sheet, so that its face stays where it was: it faces the free bodies that can meet it, and, where
/// there are none, against gravity, and, where gravity runs along it, where its triangles look. With free bodies on
/// both sides the box is thin and reaches to both sides, nowhere farther than to the nearest of them.
std::string make_box_of_sheet(
    std::vector<ImportedBody>& bodies, std::size_t b, const Vec3& gravity, const CanMeet& can_meet);

/// rigid-ipc follows bodies through a step [s]; here they are seen where steps end. A note for each free body that
/// moves farther in one than the thinnest body is thick. After the sheets have become boxes.
std::vector<std::string> notes_of_fast_bodies(const std::vector<ImportedBody>& bodies, double step);

} // namespace stickslip
