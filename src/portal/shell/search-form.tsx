import { useId } from 'react';

/** Search field of another page. A native form, so that it works before the script has loaded. */
interface SearchFormProps {
  readonly to: string;
  readonly name: string;
  readonly label: string;
  readonly example?: string;
}

export function SearchForm({ to, name, label, example }: SearchFormProps) {
  const id = useId();
  return (
    <form role="search" className="search-field" action={to}>
      <label htmlFor={id}>{label}</label>
      <div>
        <input id={id} type="search" name={name} placeholder={example} autoComplete="off" maxLength={100} />
        <button aria-label={label}>
          <SearchIcon />
        </button>
      </div>
    </form>
  );
}

export function SearchIcon() {
  return (
    <svg viewBox="0 0 20 20" width={20} height={20} aria-hidden="true">
      <path d="m13 13 5 5M2 8a6 6 0 1 0 12 0a6 6 0 1 0-12 0" />
    </svg>
  );
}
