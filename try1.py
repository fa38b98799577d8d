import sys,time,numpy as np
import biela
from biela.machine.tape.tape import *
from biela.machine.tape.memory import Memory
from biela.machine.tape.llvm import Compiled,text
from biela.machine.in_python import in_python
from biela.machine.addresses import address
from biela.methods.settings import choose, apply
from biela.methods.run import functions
from biela.methods.formulations import parameters as at
from biela.analysis.assembly.assemble import assemble
from biela.library import *
import importlib
from numba import njit
from biela.machine.addresses import evaluate_at
@njit
def many(f,h,n):
    g=evaluate_at(f)
    for _ in range(n): g(h,0.0)
def system_of(name,coords):
    from biela.analysis.assembly import assemble as a
    m=biela.load(name) if hasattr(biela,'load') else name
    return a.assemble(m,coords)
def record(name,coords='natural',form='penalty'):
    system=system_of(name,coords)
    apply(choose(form,'rk4',1e-3),system)
    settings=choose(form,'rk4',1e-3)
    f,settle=functions(settings,system)
    s=system.arrays
    s.opt[at.LOOK]=1
    s.y[:len(system.q0)]=system.q0
    f(system.header,0.0); f(system.header,0.0)
    tape=Tape()
    t0=time.process_time()
    varying=len(s.tree_calls)>0
    mem=Memory(tape,s,() if varying else ("M","mval"))
    mem.arrays.opt[at.LOOK]=1.0
    rep={**FUNCTIONS,"unpack":lambda h:h,"unpack_tree":lambda h:h,"unpack_saddle":lambda h:h}
    from biela.kernels.tree.calls import TREE_FUNCTIONS
    from biela.kernels.crossed import CROSSED_FUNCTIONS
    fs=TREE_FUNCTIONS if coords in('relative','reference-point') else CROSSED_FUNCTIONS
    own={}
    def call(which,h):
        i=[int(x) for x in s.tree_calls].index(int(which)); return in_python(fs[i],rep)(h)
    rep["call_kernel"]=call
    status=in_python(f,rep)(mem.arrays,tape.input("t",0.0))
    tape.outputs=mem.outputs()
    t1=time.process_time()
    rec=t1-t0
    # compare with generic
    f(system.header,0.0)
    worst=0
    for c,n in tape.outputs.items():
        pass
    comp=Compiled(tape,address(f),f)
    t2=time.process_time()
    f(system.header,0.0); ref={k:getattr(s,k).copy() for k in mem.cells}
    many(comp.address,system.header,1)
    err={k:float(np.max(np.abs(getattr(s,k)-ref[k]),initial=0)/max(1e-300,np.max(np.abs(ref[k]),initial=0))) for k in ref}
    err={k:v for k,v in err.items() if v>1e-15}
    def speed(a):
        best=1e9
        for _ in range(5):
            t=time.process_time(); many(a,system.header,3000); best=min(best,time.process_time()-t)
        return best/3000*1e9
    print(f"{name} {coords} {form} n={s.n} m={s.m} status {status} ops {tape.size} outs {len(tape.outputs)} guards {len(tape.guards)} rec {rec:.2f}s compile {t2-t1:.2f}s generic {speed(address(f)):.0f} ns tape {speed(comp.address):.0f} ns  a err {err.get('ydot',0):.1e}",{k:f"{v:.0e}" for k,v in err.items() if v>1e-12})
for a in sys.argv[1:]:
    try: record(*a.split(':'))
    except Exception as e:
        import traceback; traceback.print_exc(limit=4); print(a,type(e).__name__,str(e)[:200])
