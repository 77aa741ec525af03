import { t } from './texts.ts';

/** What is wrong with the files on disk: the pages show the last good set meanwhile. */
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
