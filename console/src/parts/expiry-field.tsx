const EXPIRIES: ReadonlyArray<readonly [days: number, label: string]> = [
  [0, 'Never'],
  [1, 'In 1 day'],
  [7, 'In 7 days'],
  [30, 'In 30 days'],
  [90, 'In 90 days'],
];

/** Asks in how many days an entry of a list ends: the field `days` of the form around it, 0 for never. */
export const ExpiryField = () => (
  <label>
    Expires
    <select name="days">
      {EXPIRIES.map(([days, label]) => (
        <option key={days} value={days}>
          {label}
        </option>
      ))}
    </select>
  </label>
);
