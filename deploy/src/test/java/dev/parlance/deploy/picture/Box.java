package dev.parlance.deploy.picture;

/**
 * A place in the picture.
 *
 * @param x left
 * @param y top
 * @param w width
 * @param h height
 */
record Box(double x, double y, double w, double h) {
  double right() {
    return x + w;
  }

  double bottom() {
    return y + h;
  }
}
