import { usePortal } from '../portal-context.ts';

const levels = ['basic', 'intermediate', 'advanced'] as const;
export type AssuranceLevelName = (typeof levels)[number];

const ends = [24, 52, 80] as const;

/** Shield icon of an assurance level. Without a label, screen readers skip the icon. */
export function AssuranceLevelShield({ level, label }: { level: AssuranceLevelName; label?: string }) {
  const filled = levels.indexOf(level) + 1;
  return (
    <svg
      className="level-art"
      role={label === undefined ? 'presentation' : 'img'}
      aria-label={label}
      viewBox="0 0 104 112"
      width={104}
      height={112}
    >
      <path className="level-art-shield" d="M52 4 92 18v28c0 24-16 36-40 44C28 82 12 70 12 46V18Z" />
      {filled === 1 && <path className="level-art-sign" d="M52 30a9 9 0 1 1-.1 0M36 66c2-12 8-16 16-16s14 4 16 16" />}
      {filled === 2 && <path className="level-art-sign" d="m34 46 13 13 24-26" />}
      {filled === 3 && <path className="level-art-sign" d="m32 42 10 10 16-18M36 58l10 10 26-30" />}
      {ends.map((x, index) => (
        <rect
          key={x}
          className={index < filled ? 'level-art-step level-art-on' : 'level-art-step'}
          x={x - 12}
          y={98}
          width={24}
          height={10}
          rx={3}
        />
      ))}
    </svg>
  );
}

/** The three assurance levels in ascending order, each with a text. `here` is the level of the citizen. */
export function AssuranceLevelLadder({
  here,
  describe,
}: {
  here?: AssuranceLevelName;
  describe: (level: AssuranceLevelName) => string;
}) {
  const { t, config } = usePortal();
  return (
    <ol className="ladder">
      {levels.map((level) => (
        <li key={level} aria-current={level === here ? 'step' : undefined}>
          <AssuranceLevelShield level={level} />
          <div>
            <h3>
              {t(`level.${level}`)}
              {level === here && (
                <>
                  {' '}
                  <span className="badge">{t('level.here')}</span>
                </>
              )}
              {level === 'advanced' && !config.advancedLevel && (
                <>
                  {' '}
                  <span className="badge">{t('level.unavailable')}</span>
                </>
              )}
            </h3>
            <p>{describe(level)}</p>
          </div>
        </li>
      ))}
    </ol>
  );
}
