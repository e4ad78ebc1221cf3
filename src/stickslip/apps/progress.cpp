#include "stickslip/apps/progress.h"

#include <unistd.h>

#include <cmath>
#include <cstdio>

namespace stickslip {

namespace {

std::string duration(double seconds)
{
    char text[32];
    if (!(seconds < 360000))
        return "-";
    const int s = static_cast<int>(std::lround(seconds));
    if (s < 60)
        std::snprintf(text, sizeof text, "%d s", s);
    else if (s < 3600)
        std::snprintf(text, sizeof text, "%d:%02d min", s / 60, s % 60);
    else
        std::snprintf(text, sizeof text, "%d:%02d h", s / 3600, s / 60 % 60);
    return text;
}

} // namespace

ProgressLine::ProgressLine(bool quiet)
    : quiet_(quiet)
    , terminal_(isatty(STDERR_FILENO))
{
}

bool ProgressLine::due(const RunProgress& progress)
{
    using namespace std::chrono;
    const auto now = steady_clock::now();
    const bool last = progress.time >= progress.end * (1 - 1e-9);
    if (terminal_) {
        if (!last && now - last_ < milliseconds(100))
            return false;
    } else {
        const double share = progress.time / progress.end;
        if (!last && (share < next_share_ || now - last_ < seconds(10)))
            return false;
        next_share_ = share + 0.1;
    }
    last_ = now;
    return true;
}

void ProgressLine::show(const RunProgress& p)
{
    if (quiet_ || !due(p))
        return;
    char text[256];
    std::snprintf(text, sizeof text, "t %.4g of %.4g s  step %llu  %s  %.3g steps/s  %s left", p.time, p.end,
        static_cast<unsigned long long>(p.totals->steps), p.words().c_str(), p.steps_per_second,
        duration(p.seconds_left).c_str());
    if (terminal_) {
        std::fprintf(stderr, "\r\033[K%s", text);
        line_open_ = true;
    } else {
        std::fprintf(stderr, "%s\n", text);
    }
    std::fflush(stderr);
}

void ProgressLine::message(const std::string& line)
{
    if (line_open_)
        std::fprintf(stderr, "\r\033[K");
    std::fprintf(stderr, "%s\n", line.c_str());
    line_open_ = false;
}

void ProgressLine::note(const std::string& line)
{
    if (!quiet_)
        message(line);
}

void ProgressLine::finish()
{
    if (line_open_)
        std::fprintf(stderr, "\n");
    line_open_ = false;
}

} // namespace stickslip
