import Sval from 'sval';
import type { ScreenModule } from '../engine/core/screen.ts';

/** Stands in the place of `Function` where ajv makes a validator of its code: the page's policy lets no text run, so it is interpreted. */
export class InterpretedFunction {
  constructor(...parts: readonly string[]) {
    const body = parts.at(-1) ?? '';
    const interpreter = interpreterOf('script');
    interpreter.run(`exports.made = function (${parts.slice(0, -1).join(', ')}) {${body}}`);
    return interpreter.exports['made'] as InterpretedFunction;
  }
}

/** Runs the text of a screen's module. */
export async function runModule(source: string): Promise<ScreenModule> {
  const interpreter = interpreterOf('module');
  interpreter.run(source);
  return interpreter.exports as unknown as ScreenModule; // written by compile-screen.ts
}

function interpreterOf(sourceType: 'script' | 'module'): Sval {
  return new Sval({ ecmaVer: 'latest', sourceType, sandBox: true });
}
