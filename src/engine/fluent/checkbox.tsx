import { useLayoutEffect, useRef, type InputHTMLAttributes } from 'react';

interface CheckboxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'checked' | 'type'> {
  readonly label: string;
  readonly checked: boolean | 'mixed';
}

export function Checkbox({ label, checked, ...attributes }: CheckboxProps) {
  const box = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (box.current) box.current.indeterminate = checked === 'mixed'; // set here, because HTML has no attribute for the indeterminate state
  }, [checked]);
  return (
    <label className="form-tick">
      <input ref={box} {...attributes} type="checkbox" checked={checked === true} />
      <span>{label}</span>
    </label>
  );
}
