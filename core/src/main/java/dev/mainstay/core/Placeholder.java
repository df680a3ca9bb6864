package dev.mainstay.core;

final class Placeholder {}
