import { useEffect, useState } from 'react';
import { useEngine } from '../engine-context.ts';

/** How long after the last key the count is spoken, in milliseconds: at each key it would drown the echo of what is typed. */
const pauseMs = 1_000;

/** How many characters a text may still have, or has too many: seen at once, heard when the typing pauses. */
export function Remaining({ left }: { left: number }) {
  const engine = useEngine();
  const count = Math.abs(left);
  const sentence = engine.t(`${left < 0 ? 'exceeded' : 'remaining'}${count === 1 ? '.one' : ''}`, { count });
  const [spoken, setSpoken] = useState('');
  const [first] = useState(sentence); // nothing was typed yet
  useEffect(() => {
    if (sentence === first && spoken === '') return undefined;
    const timer = setTimeout(() => setSpoken(sentence), pauseMs);
    return () => clearTimeout(timer);
  }, [sentence, first, spoken]);
  return (
    <>
      <p className="form-help" aria-hidden="true" data-exceeded={left < 0 || undefined}>
        {sentence}
      </p>
      <span role="status" className="visually-hidden">
        {spoken}
      </span>
    </>
  );
}
