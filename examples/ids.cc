// Read position IDs, and print verdicts for money: ids.c in C++, with destructors and exceptions.
//
//     c++ -std=c++17 $(python -m bgrace.embed --cflags) ids.cc $(python -m bgrace.embed --libs --static) -o ids
//     echo 8d4nAADa7TkAAA | ./ids

#include "bgrace.h"

#include <array>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

namespace
{

void check(bgr_status status)
{
    if (status != BGR_OK)
        throw std::runtime_error(bgr_strerror(status));
}

using Counts = std::array<int8_t, BGR_MAX_POINTS>;

struct FreeAnswer {
    void operator()(bgr_answer *answer) const { bgr_answer_free(answer); }
};
using Answer = std::unique_ptr<bgr_answer, FreeAnswer>;

class Solver
{
  public:
    Solver() { check(bgr_solver_new(&solver)); }
    ~Solver() { bgr_solver_free(solver); }
    Solver(const Solver &) = delete;
    Solver &operator=(const Solver &) = delete;

    // Ask with every play of 31.
    Answer ask(const Counts &on_roll, const Counts &opponent) const
    {
        bgr_stakes money = {};
        money.size = sizeof money;
        money.gammons = money.jacoby = 1;
        bgr_solve_options options = {};
        options.size = sizeof options;
        options.seconds = 0.02;
        options.memory_bytes = 1 << 26;
        options.dice[0] = 3;
        options.dice[1] = 1;
        bgr_answer *answer;
        check(bgr_ask(solver, BGR_MAX_POINTS, on_roll.data(), opponent.data(), &money, &options, &answer));
        return Answer(answer);
    }

  private:
    bgr_solver *solver = nullptr;
};

std::string bits(double value)
{
    uint64_t number;
    char text[18];
    value += 0.0; // turns -0 into 0
    std::memcpy(&number, &value, sizeof number);
    std::snprintf(text, sizeof text, " %016llx", static_cast<unsigned long long>(number));
    return text;
}

std::string answer_id(const Solver &solver, const std::string &id)
{
    static const char *const verdicts[] = {"no cube",       "no double",   "double/take",
                                           "double/beaver", "double/pass", "too good"};
    Counts on_roll, opponent;
    bgr_chances chances;
    bgr_cube_values cube;
    bgr_ranked_play best;
    int n;
    check(bgr_read_position_id(id.c_str(), on_roll.data(), opponent.data()));
    const Answer answer = solver.ask(on_roll, opponent);
    bgr_answer_chances(answer.get(), &chances);
    check(bgr_answer_cube(answer.get(), BGR_CUBE_CENTERED, &cube));
    check(bgr_answer_plays(answer.get(), 3, 1, BGR_CUBE_CENTERED, 1, &best, &n));
    std::string line = id.substr(0, 14) + " " + verdicts[cube.verdict];
    for (double value :
         {chances.win, chances.win_gammon, chances.lose_gammon, cube.no_double, cube.double_take, best.value})
        line += bits(value);
    return line;
}

} // namespace

int main()
{
    std::string id;
    try {
        const Solver solver;
        while (std::getline(std::cin, id))
            std::cout << answer_id(solver, id) << '\n';
    } catch (const std::exception &error) {
        std::cerr << id << ": " << error.what() << '\n';
        return 1;
    }
    return 0;
}
