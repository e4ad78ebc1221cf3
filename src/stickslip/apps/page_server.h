#pragma once

#include <functional>
#include <optional>
#include <string>

namespace stickslip {

struct PageAnswer {
    std::string type; // "text/html; charset=utf-8"
    std::string body;
};

/// A small web server for this machine alone: it listens on 127.0.0.1 and answers GET, one request after the other;
/// and POST from who knows its token, which only what it serves can read.
/// Requests that do not name this machine as their host are refused, so that no page of another origin can read along.
class PageServer {
public:
    /// Page at a path; nothing: not found.
    using Answer = std::function<std::optional<PageAnswer>(const std::string& path)>;

    /// Acts on a POST to a path and answers it; nothing: not found.
    using Act = std::function<std::optional<PageAnswer>(const std::string& path)>;

    /// Port 0: any that is free. Errors: FileError when the port cannot be had.
    PageServer(int port, Answer answer, Act act);
    ~PageServer();
    PageServer(const PageServer&) = delete;
    PageServer& operator=(const PageServer&) = delete;

    std::string address() const { return "http://127.0.0.1:" + std::to_string(port_) + "/"; }

    /// Header X-Token that a POST must have: 32 hexadecimal digits.
    const std::string& token() const { return token_; }

    /// Serves until SIGINT or SIGTERM.
    void run();

private:
    void serve_one(int connection) const;
    std::string respond(const std::string& request) const;
    bool is_own_host(const std::string& request) const;

    int socket_ = -1;
    int port_ = 0;
    Answer answer_;
    Act act_;
    std::string token_;
};

} // namespace stickslip
