import { t } from '../../texts.ts';
import type { Moment } from '../../walk/replay.ts';
import type { FlowNames } from '../titles.ts';
import { changeSentences, otherSentences, takenSentence } from './walk-sentences.ts';

/** What happened in each step: the branch that was taken, why not those before it, and which variables changed. */
export function MomentList({ moments, names }: { moments: readonly Moment[]; names: FlowNames }) {
  const stateOf = (index: number): string => moments[index]?.place.state ?? '';
  return (
    <ol className="studio-moments" aria-label={t('walkSteps')}>
      {moments.map((moment, index) => (
        <li key={index}>
          <strong>{moment.raise === '' ? t('walkArrival') : names.eventOf(stateOf(index - 1), moment.raise)}</strong> →{' '}
          {names.stateOf(stateOf(index)) || t('nothing')}
          <ul>
            {moment.operations.map(({ operation }, at) => (
              <li key={`${operation} ${at}`}>{t('walkCall', { operation })}</li>
            ))}
            {moment.branches.map((place, at) => (
              <li key={`${place.id} ${at}`}>
                {takenSentence(place, names)}
                {otherSentences(place).map((sentence) => (
                  <span key={sentence} className="studio-aside">
                    {' '}
                    {sentence}
                  </span>
                ))}
              </li>
            ))}
            {changeSentences(moment).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}
