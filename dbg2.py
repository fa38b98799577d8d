import biela
from biela.methods.settings import choose, apply
from biela.methods.run import functions
from biela.methods.loops import loop_calls
from biela.analysis.assembly.assemble import assemble
system=assemble(biela.load('four-bar'),'natural'); settings=choose('projection','rk4',1e-3)
print('rank',system.rank)
apply(settings,system); f,settle=functions(settings,system); s=system.arrays
print(s.opt, len(s.direct), loop_calls.begin(system.header,f,settle,0.0,1.0)); print(s.opt,s.free,s.piv)
r=biela.simulate('four-bar',t_end=0.5,coordinates='natural',formulation='projection',integrator='rk4',step=1e-3); print(r.status if hasattr(r,'status') else r)
