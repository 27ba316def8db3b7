let isCold = true;

/** Whether this environment has just started; true once. */
export function takeColdStart(): boolean {
  const wasCold = isCold;
  isCold = false;
  return wasCold;
}
