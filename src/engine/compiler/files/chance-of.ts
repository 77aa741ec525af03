/** What of the clock, of chance and of patterns with a memory some work asks for; null where its answer hangs on what it is given alone. */
export function chanceOf(work: () => unknown): string | null {
  const { Date: clock } = globalThis;
  const { random } = Math;
  const { test } = RegExp.prototype;
  let asked: string | null = null;
  const now = () => {
    asked = 'Date';
    return clock.now();
  };
  const Watched = class extends clock {
    constructor(...given: readonly unknown[]) {
      super(...((given.length === 0 ? [now()] : given) as [number])); // the arguments of Date, whichever they are
    }
    static override now = now;
  };
  globalThis.Date = Watched as DateConstructor; // called without `new` it is no rule that passes
  Math.random = () => {
    asked = 'Math.random';
    return random();
  };
  RegExp.prototype.test = function (text) {
    if (this.global || this.sticky) asked = 'RegExp';
    return test.call(this, text);
  };
  try {
    work();
  } finally {
    RegExp.prototype.test = test;
    globalThis.Date = clock;
    Math.random = random;
  }
  return asked;
}
