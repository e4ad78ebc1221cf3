#pragma once

#include <string>

namespace stickslip {

struct ViewCommand {
    std::string folder;
    std::string output; // empty: view.html in the folder
    std::string other; // run folder that is drawn over the first; empty: none
    double megabytes = 8; // of the page, roughly
    bool serve = false;
    int port = 8437; // 0: any that is free
    bool open = false;
};
int view_command(const ViewCommand& command);

} // namespace stickslip
