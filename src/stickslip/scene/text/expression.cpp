#include "stickslip/scene/text/expression.h"

#include "stickslip/scene/text/scene_reading.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace stickslip {

namespace {

constexpr std::size_t longest_expression = 1000; // [bytes]
constexpr int deepest_expression = 50;
constexpr const char* functions[] = {"sin", "cos", "tan", "sqrt", "abs", "min", "max"};

bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}
bool is_function(const std::string& word)
{
    return std::find(std::begin(functions), std::end(functions), word) != std::end(functions);
}

class Parser {
public:
    Parser(const std::string& text, const std::map<std::string, double>& variables)
        : text_(text)
        , variables_(variables)
    {
    }

    double run()
    {
        if (text_.size() > longest_expression)
            fail(0, "longer than 1000 characters");
        const double value = sum();
        if (next() != '\0')
            fail(at_, "expected an operator, got " + found());
        return value;
    }

private:
    [[noreturn]] void fail(std::size_t at, const std::string& message) const { throw ExpressionFault{at, message}; }

    std::string found() const
    {
        if (at_ >= text_.size())
            return "the end";
        std::size_t end = at_ + 1;
        while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) // of one character
            ++end;
        return "\"" + text_.substr(at_, end - at_) + "\"";
    }

    char next()
    {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    bool take(char c)
    {
        if (next() != c)
            return false;
        ++at_;
        return true;
    }
    void expect(char c)
    {
        if (!take(c))
            fail(at_, std::string("expected \"") + c + "\", got " + found());
    }

    double finite(double value, std::size_t at) const
    {
        if (!std::isfinite(value))
            fail(at, "the value is not finite");
        return value;
    }

    double sum()
    {
        if (++depth_ > deepest_expression)
            fail(at_, "nested too deep");
        double value = product();
        while (next() == '+' || next() == '-') {
            const std::size_t at = at_;
            const bool plus = text_[at_++] == '+';
            const double right = product();
            value = finite(plus ? value + right : value - right, at);
        }
        --depth_;
        return value;
    }

    double product()
    {
        double value = signed_power();
        while (next() == '*' || next() == '/') {
            const std::size_t at = at_;
            const bool times = text_[at_++] == '*';
            const double right = signed_power();
            if (!times && right == 0)
                fail(at, "division by zero");
            value = finite(times ? value * right : value / right, at);
        }
        return value;
    }

    /// -2^2 is -4, as in mathematics.
    double signed_power()
    {
        bool negative = false;
        while (next() == '-' || next() == '+')
            negative ^= text_[at_++] == '-';
        const double value = power();
        return negative ? -value : value;
    }

    double power()
    {
        if (++depth_ > deepest_expression)
            fail(at_, "nested too deep");
        double value = atom();
        if (next() == '^') {
            const std::size_t at = at_++;
            value = finite(std::pow(value, signed_power()), at);
        }
        --depth_;
        return value;
    }

    double atom()
    {
        const char c = next();
        if (is_digit(c) || c == '.')
            return number();
        if (is_letter(c))
            return word();
        if (!take('('))
            fail(at_, "expected a number, a name or \"(\", got " + found());
        const double value = sum();
        expect(')');
        return value;
    }

    double number()
    {
        double value = 0;
        const char* const begin = text_.data() + at_;
        const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), value);
        if (error == std::errc::invalid_argument)
            fail(at_, "expected a number, got " + found());
        if (error != std::errc())
            fail(at_, "outside the range of double precision");
        at_ += static_cast<std::size_t>(end - begin);
        return value;
    }

    double word()
    {
        const std::size_t begin = at_;
        while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_])))
            ++at_;
        const std::string name = text_.substr(begin, at_ - begin);
        if (is_function(name))
            return call(name, begin);
        if (name == "pi")
            return std::numbers::pi;
        if (const auto known = variables_.find(name); known != variables_.end())
            return known->second;
        std::vector<std::string> words(std::begin(functions), std::end(functions));
        words.emplace_back("pi");
        for (const auto& [variable, value] : variables_)
            words.push_back(variable);
        fail(begin, "no variable \"" + name + "\"" + did_you_mean(name, words));
    }

    double call(const std::string& name, std::size_t begin)
    {
        expect('(');
        std::vector<double> values{sum()};
        while (take(','))
            values.push_back(sum());
        expect(')');
        if (name == "min")
            return *std::min_element(values.begin(), values.end());
        if (name == "max")
            return *std::max_element(values.begin(), values.end());
        if (values.size() != 1)
            fail(begin, name + " takes one value, got " + std::to_string(values.size()));
        const double x = values[0];
        if (name == "sqrt" && x < 0)
            fail(begin, "square root of a negative number");
        const double value = name == "sin" ? std::sin(x)
            : name == "cos"                ? std::cos(x)
            : name == "tan"                ? std::tan(x)
            : name == "sqrt"               ? std::sqrt(x)
                                           : std::abs(x);
        return finite(value, begin);
    }

    const std::string& text_;
    const std::map<std::string, double>& variables_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

} // namespace

double evaluate_expression(const std::string& text, const std::map<std::string, double>& variables)
{
    return Parser(text, variables).run();
}

std::set<std::string> words_of_expression(const std::string& text)
{
    const auto in_word = [](char c) { return is_letter(c) || is_digit(c); };
    std::set<std::string> words;
    for (auto begin = text.begin(); begin != text.end();) {
        const auto end = std::find_if_not(begin, text.end(), in_word);
        if (begin != end && is_letter(*begin)) // not 2e3
            words.emplace(begin, end);
        begin = end == text.end() ? end : end + (begin == end);
    }
    return words;
}

std::string variable_name_fault(const std::string& name)
{
    const bool letters = !name.empty() && is_letter(name[0])
        && std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
    if (!letters)
        return "the name of a variable is made of letters, digits and _, and begins with no digit";
    if (is_function(name) || name == "pi")
        return "\"" + name + "\" means something else in expressions";
    return "";
}

} // namespace stickslip
