// The bundler loads Redoc's ready-made script as text (lib/bundling/bundle-functions.ts).
declare module 'redoc/bundles/redoc.standalone.js' {
  const script: string;
  export default script;
}
