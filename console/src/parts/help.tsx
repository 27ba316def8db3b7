import { useEffect, useRef } from 'preact/hooks';
import { isHelpOpen, shortcutsOn } from '../state/page';

const KEYS: ReadonlyArray<readonly [key: string, does: string]> = [
  ['j', 'Next case in the list'],
  ['k', 'Previous case in the list'],
  ['x', 'Select the case, to decide several at once'],
  ['Enter', 'Open the case'],
  ['/', 'Filter the list, or open a case by ID'],
  ['a', 'Approve (legitimate)'],
  ['r', 'Reject (fraud)'],
  ['m', 'Write notes (Esc to leave)'],
  ['c', 'Write a comment (Esc to leave)'],
  ['n', 'Next open case'],
  ['u', 'Undo the last decision before it is sent'],
  ['q', 'Queue (or Esc from a case)'],
  ['d', 'Decisions'],
  ['o', 'Overview'],
  ['w', 'Who the user of a case is connected with'],
  ['l', 'Lists'],
  ['e', 'Rules'],
  ['?', 'Show this help'],
];

/** The keyboard shortcuts and the switch that disables them. */
export function Help() {
  const dialog = useRef<HTMLDialogElement>(null);
  const isOpen = isHelpOpen.value;
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    else dialog.current?.close();
  }, [isOpen]);
  const close = (): void => {
    isHelpOpen.value = false;
  };
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={close}>
      {isOpen && (
        <>
          <h2 id="help-title">Keyboard shortcuts</h2>
          <dl>
            {KEYS.map(([key, does]) => (
              <div key={key}>
                <dt>
                  <kbd class="key">{key}</kbd>
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
          <label class="check">
            <input
              type="checkbox"
              checked={shortcutsOn.value}
              onChange={(event) => {
                shortcutsOn.value = event.currentTarget.checked;
              }}
            />
            Enable keyboard shortcuts
          </label>
          <button type="button" class="button" onClick={close}>
            Close
          </button>
        </>
      )}
    </dialog>
  );
}
