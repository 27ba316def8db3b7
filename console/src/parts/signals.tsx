import { nameOf, tellingSignals } from '../text/words';

/** Signal names as chips; the rest as a number. */
export function Signals({
  names: all,
  most = all.length,
}: {
  readonly names: readonly string[];
  readonly most?: number;
}) {
  const names = tellingSignals(all);
  const rest = names.slice(most);
  return (
    <span class="chips">
      <span class="hidden">Signals: </span>
      {names.slice(0, most).map((name) => (
        <span class="chip" key={name}>
          {nameOf(name)}
          <span class="hidden">, </span>
        </span>
      ))}
      {rest.length > 0 && (
        <span class="chip more" title={rest.map(nameOf).join(', ')}>
          +{rest.length}
          <span class="hidden"> more</span>
        </span>
      )}
    </span>
  );
}
