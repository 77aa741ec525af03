import type { StudioProblem } from '../../studio-data.ts';

export function ProblemList({ problems }: { problems: readonly StudioProblem[] }) {
  return (
    <ul>
      {problems.map(({ file, line, column, pointer, message, hint }) => (
        <li key={`${file} ${pointer} ${message}`}>
          <code>{`${file}:${line}:${column}`}</code> {message} {hint}
        </li>
      ))}
    </ul>
  );
}
