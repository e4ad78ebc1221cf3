#include "stickslip/apps/commands.h"
#include "stickslip/apps/verbs.h"

#include <iostream>

namespace stickslip {

void add_render(CLI::App& app, std::function<int()>& action)
{
    CLI::App* verb = app.add_subcommand("render", "render frames of a run as pictures (not in this build)");
    verb->allow_extras();
    verb->callback([&action] {
        action = [] {
            std::cerr
                << "stickslip: error: render: this program was built without EGL, OpenGL, libpng, FreeType or the font "
                   "DejaVu Sans; install them (Debian: libegl-dev libopengl-dev libgl-dev libpng-dev "
                   "libfreetype-dev fonts-dejavu-core), configure and build again\n";
            return static_cast<int>(exit_input);
        };
    });
}

} // namespace stickslip
