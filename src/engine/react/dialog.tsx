import { useEffect, useRef, type ReactNode } from 'react';

/** A native dialog over the page: the browser keeps the focus inside, and gives it back to the opener. Escape calls `onClose`. */
export function Dialog({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className="dialog" onCancel={(event) => {
      event.preventDefault(); // the flow decides, and then takes the dialog away
      onClose();
    }}
    >
      {children}
    </dialog>
  );
}
