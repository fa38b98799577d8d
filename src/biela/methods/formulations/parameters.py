"""Places of the settings in the arrays `par`, `opt` and `margin` of a system, for compiled code."""

ALPHA, XI, OMEGA, POSITION_TOLERANCE, BETA, MULTIPLIER_TOLERANCE, SIZE, VARIES, MASS = range(9)
DISSIPATION, ALPHA_M, ALPHA_F, NEWMARK_BETA, NEWMARK_GAMMA, ENOUGH, FIRM, HELD = range(9, 17)
EVERY, COUNT, INNER, EVALUATIONS, ITERATIONS, RECHOICES, HISTORY, MAX_ITERATIONS, RANK, LOOK, WEAK = range(11)
CONTROL, LANDS, DIRECT, NEAR, DENSE = 11, 12, 13, 14, 15
"""what steers a variable step: 0 the integrator's own estimate, 1 halved steps, 2 the energy; whether steps end at the
samples; whether the index-3 equations are solved; whether the last evaluation was next to here (-1: to the last
digit);
whether the integrator has a polynomial of its own over a step"""
CORRECTOR, ERROR, RELATIVE, ABSOLUTE, ERROR_BEFORE, ENERGY_SEEN, STEP_OF_A, ORDER, SPAN, LEAST_ENERGY = range(10)
NO_ENERGY = 10
"""places in ctl; the last is an energy so small that nobody asks for its digits: work is not measured by less"""
HALVED, FINEST, WORST, OFF_BY, BLURRED = range(9, 14)
"""places in mon: steps taken in parts, most parts, worst equation of a corrector that failed and by how much it is off,
steps whose error is no more than rounding"""
NOW, AT_CHOICE, BEFORE, REGULAR, SCALE, STRONGEST, WEAKEST, VOLUME, CARE = range(9)
WEAKNESS, WEAKNESS_BACK, WEAKNESS_TWO_BACK, STEP_BACK, AHEAD, BACK, UNAIMED, TRIED, OFF, SOFT, SPIN = range(9, 20)
USUAL, FORESEEN = 20, 21
"""places in margin: CARE is how many of the coming steps a method with long steps leaves to one with shorter ones; then
what `leap` knows: logarithms of the determinant now, one and two steps ago, the last step, the times to a singular
position and since the last one, the step that would have been taken but for it,
the trial before this one and its error, whether multipliers
settle slowly; the rate of turning at the end of the last step; what `foreseen` knows: by how much evaluations usually
differ from what was foreseen, and how many in a row have been given up for it"""
