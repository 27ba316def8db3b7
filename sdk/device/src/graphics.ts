/** Maker and model of the graphics card, as WebGL names them. */
export function graphicsCard(): string | undefined {
  const gl = document.createElement('canvas').getContext('webgl');
  if (!gl) return undefined;
  const info = gl.getExtension('WEBGL_debug_renderer_info');
  const names = info ? [info.UNMASKED_VENDOR_WEBGL, info.UNMASKED_RENDERER_WEBGL] : [gl.VENDOR, gl.RENDERER];
  const text = names.map((name) => gl.getParameter(name)).join(' ');
  // A page has only so many contexts: this one is given back at once.
  gl.getExtension('WEBGL_lose_context')?.loseContext();
  return text;
}
