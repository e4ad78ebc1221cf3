#pragma once

#include "stickslip/contact/attachment.h"
#include "stickslip/contact/meshes/patch_entry.h"
#include "stickslip/contact/relax/step_spring.h"

namespace stickslip {

/// A point and a patch that it can meet in this step.
struct PatchMeeting {
    int point;
    PatchEntry entry;
    const Attachment* kept; // in StepStart::kept; null: none
    int slot; // Attachment::slot
    SpringStart spring;
};

} // namespace stickslip
