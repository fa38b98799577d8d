"""Places of the settings in the arrays `par`, `opt` and `margin` of a system, for compiled code."""

ALPHA, XI, OMEGA, POSITION_TOLERANCE, BETA, MULTIPLIER_TOLERANCE, SIZE, VARIES, MASS = range(9)
DISSIPATION, ALPHA_M, ALPHA_F, NEWMARK_BETA, NEWMARK_GAMMA, ENOUGH, ROW_STIFFNESS, HELD, PHI_ENOUGH = range(9, 18)
EVERY, COUNT, INNER, EVALUATIONS, ITERATIONS, RECHOICES, HISTORY, MAX_ITERATIONS, RANK, LOOK, WEAK = range(11)
CONTROL, LANDS, DIRECT, NEAR, DENSE, HOLDS, UPDATES, STARTER, CHOICES = range(11, 20)
"""what steers a variable step: 0 the integrator's own estimate, 1 halved steps, 2 the energy; whether steps end at the
samples; whether the index-3 equations are solved; whether the last evaluation was next to here (-1: to the last
digit);
whether the integrator has a polynomial of its own over a step; whether independent rows are chosen for whole steps;
how often an evaluation improves multipliers (0: until they settle); order of the Runge-Kutta steps that begin an Adams
method; how many choices of independent coordinates are kept"""
CORRECTOR, ERROR, RELATIVE, ABSOLUTE, ERROR_BEFORE, ENERGY_SEEN, STEP_OF_A, ORDER, SPAN, LEAST_ENERGY = range(10)
NO_ENERGY = 10
"""places in ctl; the last is an energy so small that nobody asks for its digits: work is not measured by less"""
HALVED, FINEST, WORST, OFF_BY, BLURRED = range(9, 14)
LOWER, MISSED_SPEED, MISSED_WORK, MISSED_MOST, MISSED_AT = range(16, 21)
HIDDEN, HOLDING, HOLDS_AT = 21, 22, 23
"""places in mon: steps taken in parts, most parts, worst equation of a corrector that failed and by how much it is off,
steps whose error is no more than rounding; steps of an order below eight; what the equations at the samples within
steps say that the steps did not see: velocity, work, the most of the former at one sample, and when; fixed steps too
long for a law; the last switch that was left to both sides at once, and when"""
SAMPLES_APART = 15
"""place in ctl: time from the sample before"""
NOW, AT_CHOICE, BEFORE, REGULAR, SCALE, STRONGEST, WEAKEST, VOLUME, CARE = range(9)
WEAKNESS, WEAKNESS_BACK, WEAKNESS_TWO_BACK, STEP_BACK, AHEAD, BACK, UNAIMED, TRIED, OFF, SOFT, SPIN = range(9, 20)
USUAL, FORESEEN, REACH, LEAPT, LEAPT_OFF, WAS_LEAP = range(20, 26)
"""places in margin: CARE is how many of the coming steps a method with long steps leaves to one with shorter ones; then
what `leap` knows: logarithms of the determinant now, one and two steps ago, the last step, the times to a singular
position and since the last one, the step that would have been taken but for it,
the trial before this one and its error, whether multipliers
settle slowly; the rate of turning at the end of the last step; what `foreseen` knows: by how much evaluations usually
differ from what was foreseen, and how many in a row have been given up for it; AT_CHOICE and REACH are how good the
choice of independent rows was when it was made: its margin (-1: not known yet), and how rows enter those left out;
LEAPT: the leap before this one and its error; whether TRIED was one"""
