/** The brand's mark, from the page's sprite. */
export const Mark = () => (
  <svg className="size-[26px]" aria-hidden="true">
    <use href="#mk" />
  </svg>
)

/** A jack from the page's sprite, placed by its centre. */
export const Jack = ({ x, y }: { x: number; y: number }) => <use href="#jk" x={x} y={y} />

/** A cord with its braid and its shadow. */
export const Cord = ({ d }: { d: string }) => (
  <g>
    <path className="cast" transform="translate(5 8)" d={d} />
    <path className="cord" d={d} />
    <path className="braid" d={d} />
  </g>
)

/** A cord that is plugged in nowhere, the picture of an empty list. */
export const LooseCord = () => (
  <svg className="h-auto w-full max-w-80" viewBox="0 0 320 170" aria-hidden="true">
    <Jack x={40} y={34} />
    <Cord d="M216 86C216 176 130 180 110 140S60 110-24 168" />
    <g transform="translate(216 60)">
      <path className="fill-edge" d="M-3.5 0h7v-20a3.5 3.5 0 0 0-7 0z" />
      <path className="fill-signal stroke-signal-deep stroke-[1.5]" d="M-7 26V0H7v26z" />
    </g>
  </svg>
)
