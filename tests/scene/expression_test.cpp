#include "stickslip/scene/text/expression.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace stickslip::expression_test {
namespace {

double value(const std::string& text)
{
    return evaluate_expression(text, {{"n", 12}, {"half_width", 0.25}});
}

/// "3: message", or "fine".
std::string complaint(const std::string& text)
{
    try {
        value(text);
    } catch (const ExpressionFault& fault) {
        return std::to_string(fault.at) + ": " + fault.message;
    }
    return "fine";
}

TEST(Expression, FollowsTheRulesOfArithmetic)
{
    EXPECT_EQ(value("1 + 2*3"), 7);
    EXPECT_EQ(value("(1+2)*3"), 9);
    EXPECT_EQ(value("8/4/2"), 1);
    EXPECT_EQ(value("8-4-2"), 2);
    EXPECT_EQ(value("2^3^2"), 512); // from the right
    EXPECT_EQ(value("-2^2"), -4);
    EXPECT_EQ(value("2^-1"), 0.5);
    EXPECT_EQ(value("- -3"), 3);
    EXPECT_EQ(value("1e-3 + .5"), 0.501);
}

TEST(Expression, KnowsPiFunctionsAndVariables)
{
    EXPECT_EQ(value("2*pi/n"), 2 * std::numbers::pi / 12);
    EXPECT_EQ(value("sin(pi/6)"), std::sin(std::numbers::pi / 6));
    EXPECT_EQ(value("cos(0) + tan(0)"), 1);
    EXPECT_EQ(value("sqrt(abs(-16))"), 4);
    EXPECT_EQ(value("min(3, n, half_width)"), 0.25);
    EXPECT_EQ(value("max(3, n)"), 12);
}

TEST(Expression, FaultsSayWhere)
{
    EXPECT_EQ(complaint(""), "0: expected a number, a name or \"(\", got the end");
    EXPECT_EQ(complaint("1 +"), "3: expected a number, a name or \"(\", got the end");
    EXPECT_EQ(complaint("1 2"), "2: expected an operator, got \"2\"");
    EXPECT_EQ(complaint("(1"), "2: expected \")\", got the end");
    EXPECT_EQ(complaint("1/(n-12)"), "1: division by zero");
    EXPECT_EQ(complaint("2 + sqrt(-1)"), "4: square root of a negative number");
    EXPECT_EQ(complaint("half_widht"), "0: no variable \"half_widht\"; did you mean \"half_width\"?");
    EXPECT_EQ(complaint("sin(1, 2)"), "0: sin takes one value, got 2");
    EXPECT_EQ(complaint("(-1)^0.5"), "4: the value is not finite");
    EXPECT_EQ(complaint("10^400"), "2: the value is not finite");
    EXPECT_EQ(complaint("1e999"), "0: outside the range of double precision");
    EXPECT_EQ(complaint("system(1)"), "0: no variable \"system\"");
}

TEST(Expression, DepthIsBounded)
{
    EXPECT_EQ(value(std::string(20, '(') + "1" + std::string(20, ')')), 1);
    EXPECT_NE(complaint(std::string(400, '(')).find("nested too deep"), std::string::npos);
    EXPECT_NE(complaint(std::string(300, '(') + "1").find("nested too deep"), std::string::npos);
    std::string powers = "2";
    for (int i = 0; i < 300; ++i)
        powers += "^1";
    EXPECT_NE(complaint(powers).find("nested too deep"), std::string::npos);
    EXPECT_EQ(complaint(std::string(2000, '1')), "0: longer than 1000 characters");
}

TEST(Expression, AnyTextIsSafe)
{
    const std::string alphabet = "0123456789.e+-*/^(), npisqrtmax\t\"$\xC3";
    std::mt19937 random(3);
    for (int trial = 0; trial < 20000; ++trial) {
        std::string text;
        for (std::size_t i = random() % 30; i > 0; --i)
            text += alphabet[random() % alphabet.size()];
        try {
            EXPECT_TRUE(std::isfinite(value(text))) << text;
        } catch (const ExpressionFault& fault) {
            EXPECT_LE(fault.at, text.size());
        }
    }
}

TEST(Expression, ItsWordsAreFoundWhereverItsFaultIs)
{
    using Words = std::set<std::string>;
    EXPECT_EQ(words_of_expression("2e3*sin(a_1) +* mu/2^Mu"), (Words{"Mu", "a_1", "mu", "sin"}));
    EXPECT_EQ(words_of_expression("((n"), Words{"n"});
    EXPECT_EQ(words_of_expression(" 1.5 "), Words{});
    EXPECT_EQ(words_of_expression(""), Words{});
}

TEST(VariableName, IsAWordOfItsOwn)
{
    EXPECT_EQ(variable_name_fault("radius_2"), "");
    for (const char* name : {"", "2r", "a-b", "pi", "sin", "a b"})
        EXPECT_NE(variable_name_fault(name), "") << name;
}

} // namespace
} // namespace stickslip::expression_test
