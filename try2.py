import sys,time,numpy as np,os
import biela, hashlib
from biela.machine.tape.tape import *
from biela.machine.tape import llvm as L
from biela.machine.addresses import address, evaluate_at
from biela.methods.settings import choose, apply
from biela.methods.run import functions
from biela.methods.recorded import record
from biela.methods.loops import loop_calls
from biela.analysis.assembly.assemble import assemble
import llvmlite.binding as llvm
from numba import njit
@njit
def many(f,h,n):
    g=evaluate_at(f)
    for _ in range(n): g(h,0.0)
def compile_(tape,f,opt=2,speed=2,slp=False,flags='contract'):
    llvm.initialize_native_target(); llvm.initialize_native_asmprinter()
    program=L.text(tape).replace("GENERIC",str(address(f))).replace(' contract ',f' {flags} ')
    t=time.process_time()
    m=llvm.parse_assembly(program); m.verify()
    tm=llvm.Target.from_default_triple().create_target_machine(cpu=llvm.get_host_cpu_name(),features=llvm.get_host_cpu_features().flatten(),opt=opt)
    pto=llvm.create_pipeline_tuning_options(speed_level=speed); pto.slp_vectorization=slp
    pb=llvm.create_pass_builder(tm,pto); pb.getModulePassManager().run(m,pb)
    ee=llvm.create_mcjit_compiler(m,tm); ee.finalize_object()
    return ee,ee.get_function_address('evaluate'),time.process_time()-t
def one(name,coords='natural',form='penalty'):
    system=assemble(biela.load(name),coords)
    settings=choose(form,'rk4',1e-3); apply(settings,system)
    f,settle=functions(settings,system)
    s=system.arrays
    print(name,coords,form,'begin',loop_calls.begin(system.header,f,settle,0.0,1.0),'n',s.n,'m',s.m,end=' ')
    s.opt[9]=1
    t=time.process_time(); tape=record(system,f); t=time.process_time()-t
    print('ops',tape.size,'out',len(tape.outputs),'guards',len(tape.guards),f'rec {t:.2f}s')
    def speed(a):
        best=1e9
        for _ in range(7):
            t=time.process_time(); many(a,system.header,2000); best=min(best,time.process_time()-t)
        return best/2000*1e9
    print(f'   generic {speed(address(f)):.0f}',end=' ')
    f(system.header,0.0); ref=s.ydot.copy(),s.lam.copy()
    for kw in (dict(),dict(slp=True),dict(opt=3,speed=3,slp=True),dict(flags='contract reassoc nsz'),dict(flags='contract reassoc nsz',slp=True)):
        ee,a,ct=compile_(tape,f,**kw)
        s.ydot[:]=0; many(a,system.header,1)
        e=np.abs(s.ydot-ref[0]).max()/np.abs(ref[0]).max()
        print(f'{speed(a):.0f} ns ({ct:.2f}s, {e:.0e})',end='; ')
    print()
for a in sys.argv[1:]:
    try: one(*a.split(':'))
    except Exception as e:
        import traceback; traceback.print_exc(limit=4); print(a,type(e).__name__,str(e)[:200])
