import Sval from 'sval';
import type { ScreenModule } from '../engine/core/compiled-screen.ts';

/** Interprets ajv's generated code, because the page's Content-Security-Policy forbids `eval`. */
export class InterpretedFunction {
  constructor(...parts: readonly string[]) {
    const body = parts.at(-1) ?? '';
    const interpreter = createInterpreter('script');
    interpreter.run(`exports.made = function (${parts.slice(0, -1).join(', ')}) {${body}}`);
    return interpreter.exports['made'] as InterpretedFunction;
  }
}

export async function runScreenModule(source: string): Promise<ScreenModule> {
  const interpreter = createInterpreter('module');
  interpreter.run(source);
  return interpreter.exports as unknown as ScreenModule; // the interpreter's exports are untyped; compile-screen.ts generated the module
}

function createInterpreter(sourceType: 'script' | 'module'): Sval {
  return new Sval({ ecmaVer: 'latest', sourceType, sandBox: true });
}
