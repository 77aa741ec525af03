import type { MouseEvent } from 'react';
import { useEngine } from '../engine-context.ts';
import type { StepBarProps } from '../theme.ts';

export function StepBar({ bar: { steps, returnTo }, id }: StepBarProps) {
  const engine = useEngine();
  const currentIndex = steps.findIndex(({ place }) => place === 'here');
  const values = { number: currentIndex + 1, count: steps.length, title: steps[currentIndex]?.title ?? '' };
  const follow = (event: MouseEvent, state: string): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return; // let the browser open the link in another tab or window
    event.preventDefault();
    returnTo(state);
  };
  return (
    <nav className="steps" aria-label={engine.t('steps')}>
      <p id={id} className="steps-here">
        {engine.t('steps.here', values)}
      </p>
      <ol>
        {steps.map(({ state, title, place, href }, index) => {
          const name = (
            <>
              <span className="steps-number">{index + 1}</span> <span className="steps-title">{title}</span>
            </>
          );
          return (
            <li key={state} data-place={place} aria-current={place === 'here' ? 'step' : undefined}>
              {href === undefined ? (
                <span className="steps-name">{name}</span>
              ) : (
                <a className="steps-name" href={href} onClick={(event) => follow(event, state)}>
                  {name}
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </nav>
  );
}
