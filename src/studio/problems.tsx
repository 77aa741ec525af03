import { t } from './texts.ts';

/** Problems of the files on disk. The pages use the last valid definitions meanwhile. */
export function Problems({ problems }: { problems: readonly string[] }) {
  if (problems.length === 0) return null;
  return (
    <section className="problems" role="alert">
      <h2>{t('problems')}</h2>
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <code>{problem}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
