function count() {
    let i = 0;
    while (i < 100000) i += 1;
    return i;
}
