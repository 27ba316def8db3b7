import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** The heading of a page: takes the focus when the page appears, so that a screen reader starts there. */
export function PageHeading({ children, quiet = false }: { children: ComponentChildren; quiet?: boolean }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    if (!quiet) heading.current?.focus({ preventScroll: true });
    scrollTo(0, 0);
  }, [quiet]);
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  );
}
