#!/usr/bin/env python3
"""All screens of two programs side by side, from their own SVG: what a change does to the looks.

contact-sheet.py BEFORE AFTER OUT.png [SIZE…]     BEFORE and AFTER are programs; the sizes default to 120x36 80x24

Each row is a screen at a size, each pair of columns one of the looks: dark and light in 24-bit colour, 256 and 16 colours, ASCII.
Needs cairosvg and pillow of PyPI.
"""
import io, os, subprocess, sys, tempfile
import cairosvg
from PIL import Image, ImageDraw

LOOKS = {'dark': ['--theme=dark', '--colors=24bit'], 'light': ['--theme=light', '--colors=24bit'],
         '256': ['--theme=dark', '--colors=256'], '16': ['--theme=dark', '--colors=16'],
         'ascii': ['--theme=dark', '--ascii', '--colors=none']}
LIMIT = '--limit=api.checkout.ms=400'
WIDTH = 620


def run(program, *arguments):
    return subprocess.run([program, *arguments], capture_output=True, check=True, env={**os.environ, 'TZ': 'UTC'}).stdout


def picture(program, arguments):
    try:
        data = cairosvg.svg2png(bytestring=run(program, 'snapshot', '--svg', '--no-index', *arguments), output_width=WIDTH)
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode(), file=sys.stderr)
        return Image.new('RGB', (WIDTH, 100), 'black')
    return Image.open(io.BytesIO(data)).convert('RGB')


def main():
    before, after, out, *sizes = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        shop, storm, outage = (os.path.join(folder, name) for name in ('demo.jsonl', 'storm.jsonl', 'outage.jsonl'))
        run(after, 'demo', f'--history={shop}')
        run(after, 'simulate', 'rate-limit-storm', f'--out={storm}')
        run(after, 'simulate', '--delivery', 'endpoint-outage', f'--out={outage}')
        metric = '--metric=api.checkout.ms'
        screens = {'live': [LIMIT, metric, shop], 'history': [LIMIT, metric, shop], 'histogram': [LIMIT, metric, shop],
                   'sync': ['--at=2026-11-21T09:00:50Z', storm], 'delivery': ['--at=2026-11-21T20:16:15Z', outage]}
        rows = []
        for size in sizes or ['120x36', '80x24']:
            for screen, arguments in screens.items():
                row = [(f'{screen} {size} {look}, {when}', picture(program, [f'--screen={screen}', f'--size={size}', *options, *arguments]))
                       for look, options in LOOKS.items() for when, program in (('before', before), ('after', after))]
                rows.append(row)
    heights = [max(image.height for _, image in row) + 22 for row in rows]
    sheet = Image.new('RGB', (len(rows[0]) * (WIDTH + 8), sum(heights)), 'white')
    draw = ImageDraw.Draw(sheet)
    y = 0
    for row, height in zip(rows, heights):
        for column, (title, image) in enumerate(row):
            draw.text((column * (WIDTH + 8) + 4, y + 5), title, fill='black')
            sheet.paste(image, (column * (WIDTH + 8), y + 20))
        y += height
    sheet.save(out, optimize=True)


main()
